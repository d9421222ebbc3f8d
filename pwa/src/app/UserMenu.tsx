/** Owns the desktop's user menu: Profile Settings, Sign Out (SPEC 2), the other role of a person, and the list of keys. */
import { ArrowLeftRight, Keyboard, LogOut, Settings } from "lucide-react";
import { useLocation } from "wouter";
import { usePhotoUrl, useReplica, useSession } from "../data";
import { refreshRoles } from "../data/account/roles";
import { useSignOut } from "../parts/account/SignOut";
import { useSwitch } from "../parts/account/SwitchRole";
import { Avatar, Menu } from "../ui";
import { showShortcuts } from "./ShortcutList";

export function UserMenu() {
  const { user } = useSession();
  const photo = usePhotoUrl(useReplica((phone) => phone.sitter()?.photo));
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  const other = useSwitch();
  const name = user?.name ?? "";
  return (
    <Menu
      label="User menu"
      onOpen={() => void refreshRoles()}
      trigger={(props) => (
        <button
          type="button"
          aria-label={`User menu of ${name}`}
          className="grid size-12 place-items-center rounded-full hover:bg-sunken"
          {...props}
        >
          <Avatar name={name} src={photo} />
        </button>
      )}
      header={
        <>
          <p className="font-bold">{name}</p>
          <p className="text-14 text-ink-2">{user?.email}</p>
        </>
      }
      items={[
        {
          label: "Profile Settings",
          icon: <Settings aria-hidden />,
          onSelect: () => navigate("/profile"),
        },
        other && { label: other.label, icon: <ArrowLeftRight aria-hidden />, onSelect: () => void other.go() },
        { label: "Keyboard shortcuts", icon: <Keyboard aria-hidden />, onSelect: showShortcuts },
        { label: "Sign Out", icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
      ]}
    />
  );
}
