/** Owns what only a desktop has around its screens, in a file of its own that no phone waits for. */
import { ShortcutList } from "./ShortcutList";
import { Sidebar, type SidebarProps } from "./Sidebar";

export { UserMenu } from "./UserMenu";

/** The sidebar, and what the keys do everywhere. */
export function Desktop(props: SidebarProps) {
  return (
    <>
      <Sidebar {...props} />
      <ShortcutList />
    </>
  );
}
