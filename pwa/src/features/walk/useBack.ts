/** Owns the way back from the walk's screens, which an address may have opened with nothing before them. */
import { useLocation, useNavigate } from "react-router";

export function useBack(): () => void {
  const navigate = useNavigate();
  const isFirst = useLocation().key === "default";
  return () => void (isFirst ? navigate("/scheduling", { replace: true }) : navigate(-1));
}
