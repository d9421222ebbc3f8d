/** Owns the mark: a dog tag in marigold on ink. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" aria-hidden className={className}>
      <rect width="48" height="48" rx="13" fill="oklch(0.26 0.03 265)" />
      <circle cx="24" cy="12.5" r="4" fill="none" stroke="oklch(0.82 0.155 82)" strokeWidth="2.6" />
      <path
        d="M14.5 19.5h19a3 3 0 0 1 3 3v6.5c0 5.5-5.6 9.5-12.500 9.500S11.500 34.500 11.500 29v-6.500a3 3 0 0 1 3-3z"
        fill="oklch(0.82 0.155 82)"
      />
      <path
        d="M16.500 25.500l3.300 7.500 4.200-6 4.200 6 3.300-7.500"
        fill="none"
        stroke="oklch(0.26 0.03 265)"
        strokeWidth="2.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
