/** Owns the mark: the app's own icon. */
export function Logo({ className }: { className?: string }) {
  return <img src="/icon.svg" alt="" width={48} height={48} className={className} />;
}
