/** Owns the index of the profile: its pages, and a search over all settings. */
import { ChevronRight } from "lucide-react";
import { Link } from "wouter";
import { findSettings, SETTINGS_GROUPS, type SettingsGroup } from "../../parts/account/settings";
import { cx, SearchField } from "../../ui";

interface SettingsIndexProps {
  search: string;
  onSearch: (text: string) => void;
  /** The page that is shown beside it. */
  chosen: SettingsGroup | undefined;
}

export function SettingsIndex({ search, onSearch, chosen }: SettingsIndexProps) {
  const isSearching = search.trim() !== "";
  const found = findSettings(search);
  return (
    <nav aria-label="Settings" className="grid min-w-0 grid-cols-1 gap-3 lg:sticky lg:top-5">
      <SearchField label="Search settings" value={search} onChange={onSearch} />
      {isSearching && (
        <p role="status" className={cx("text-14 text-ink-2", found.length > 0 && "sr-only")}>
          {found.length === 0 ? `No setting found for “${search.trim()}”` : `${found.length} found`}
        </p>
      )}
      <ul className="overflow-hidden rounded-large border border-line bg-card empty:hidden">
        {isSearching
          ? found.map(({ label, group, path }) => (
              <Entry key={label} to={path} title={label} about={group} onGo={() => onSearch("")} />
            ))
          : SETTINGS_GROUPS.map((it) => (
              <Entry
                key={it.id}
                to={`/profile#${it.id}`}
                title={it.title}
                about={it.about}
                isHere={it.id === chosen?.id}
              />
            ))}
      </ul>
    </nav>
  );
}

interface EntryProps {
  to: string;
  title: string;
  about: string;
  isHere?: boolean;
  onGo?: () => void;
}

function Entry({ to, title, about, isHere = false, onGo }: EntryProps) {
  return (
    <li className="@container border-line not-first:border-t">
      <Link
        to={to}
        aria-current={isHere ? "page" : undefined}
        onClick={() => onGo?.()}
        className={cx(
          "flex min-h-14 items-center gap-3 px-4 py-2 -outline-offset-3 transition-colors hover:bg-sunken",
          isHere && "bg-sunken",
        )}
      >
        <span className="min-w-0 flex-1 wrap-anywhere">
          <span className={cx("block font-medium", isHere && "font-bold")}>{title}</span>
          <span className="block text-14 text-ink-2">{about}</span>
        </span>
        <ChevronRight aria-hidden className="hidden size-5 shrink-0 text-ink-3 @min-[14rem]:block" />
      </Link>
    </li>
  );
}
