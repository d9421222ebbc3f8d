/** Owns whether what a phone is connected by costs by how much goes over it, as far as the browser says. */

/** The Network Information API (https://wicg.github.io/netinfo/), which only some browsers have. */
interface NetworkInformation {
  type?: string;
  saveData?: boolean;
}

/** True if large files better wait for Wi-Fi. */
export function isMetered(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkInformation };
  return connection?.saveData === true || connection?.type === "cellular";
}
