/** Owns the menu that slides out on a phone: the search, all sections, who is signed in, the way out (SPEC 2). */
import { CircleAlert, LogOut, type LucideIcon, Send, X } from "lucide-react";
import { memo, useEffect } from "react";
import { useSession } from "../data";
import { refreshRoles } from "../data/account/roles";
import { useSignOut } from "../parts/account/SignOut";
import { SwitchItem } from "../parts/account/SwitchRole";
import { Avatar, Badge, IconButton } from "../ui";
import { useModal } from "../ui/Dialog";
import { type Counts, NavItem, NavLink } from "./NavItem";
import { PaletteButton } from "./PaletteHost";
import { menuSections } from "./sections";

interface SideMenuProps {
  open: boolean;
  onClose: () => void;
  counts: Counts;
}

export const SideMenu = memo(function SideMenu(props: SideMenuProps) {
  return props.open ? <OpenSideMenu {...props} /> : null;
});

function OpenSideMenu({ onClose, counts }: SideMenuProps) {
  const modal = useModal(onClose);
  const { user } = useSession();
  const signOut = useSignOut();
  useEffect(() => void refreshRoles(), []);

  return (
    <dialog
      {...modal}
      aria-label="Menu"
      className="m-0 mr-0 ml-auto h-dvh max-h-none w-full max-w-none animate-slide-in bg-transparent text-ink"
    >
      <div className="pt-safe pb-safe ml-auto flex h-full w-76 max-w-[86vw] flex-col rounded-l-[26px] border-l border-line bg-card">
        <header className="flex items-center gap-3 p-5 pr-3">
          <Avatar name={user?.name ?? ""} />
          <div className="min-w-0 flex-1">
            <p tabIndex={-1} data-first-focus className="truncate font-bold outline-none">
              {user?.name}
            </p>
            <p className="truncate text-14 text-ink-2">{user?.email}</p>
          </div>
          <IconButton label="Close" onClick={onClose} className="text-ink-2">
            <X />
          </IconButton>
        </header>
        <div className="px-3 pb-3">
          <PaletteButton onOpen={onClose} />
        </div>
        <nav aria-label="All sections" className="relative grid flex-1 content-start gap-1 overflow-y-auto px-3">
          {menuSections.map((section) => (
            <NavItem key={section.path} section={section} counts={counts} />
          ))}
          <CountedLink
            to="/attention"
            Icon={CircleAlert}
            label="Needs attention"
            count={counts.attention + counts.toDecide}
            counted={counts.toDecide > 0 ? "changes and dates" : counts.attention === 1 ? "change" : "changes"}
          />
          <CountedLink
            to="/to-send"
            Icon={Send}
            label="To send"
            count={counts.toSend}
            counted={counts.toSend === 1 ? "report, invoice or message" : "reports, invoices and messages"}
          />
        </nav>
        <div className="border-t border-line p-3">
          <SwitchItem onGo={onClose} />
          <button
            type="button"
            onClick={() => {
              onClose();
              void signOut();
            }}
            className="flex h-12 w-full items-center gap-3 rounded-large px-3 font-medium text-ink-2 hover:bg-sunken"
          >
            <LogOut aria-hidden className="size-[22px]" />
            Sign Out
          </button>
        </div>
      </div>
    </dialog>
  );
}

interface CountedLinkProps {
  to: string;
  Icon: LucideIcon;
  label: string;
  count: number;
  /** The noun of the count. */
  counted: string;
}

/** A place that is in the menu only while there is something to do. */
function CountedLink({ to, Icon, label, count, counted }: CountedLinkProps) {
  if (count === 0) return null;
  return (
    <NavLink
      to={to}
      className={() =>
        "flex h-12 items-center gap-3 rounded-large px-3 font-medium text-ink-2 aria-[current=page]:bg-sunken"
      }
    >
      <Icon aria-hidden className="size-[22px]" />
      <span className="flex-1">{label}</span>
      <Badge count={count} label={counted} />
    </NavLink>
  );
}
