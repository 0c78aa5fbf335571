/** Which addresses a document may lead to, and what its links tell the browser; by the cases of `documents/markdown/addresses.py`. */

const SCHEMES = ["http:", "https:", "mailto:", "tel:"];
const HOST = /^[\w-]+(\.[\w-]+)+(:\d+)?(?=[/?#]|$)/;
const MAIL = /^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/;
const IMAGE = /^\/images\/[\w-]+$/;
const ITEM = /^\/(?:doc|folder)\/([\w-]+)\/?$/;

/** What leads out of a document opens beside it, and learns nothing of where it was opened. */
export const OUTWARD = { target: "_blank", rel: "noopener noreferrer nofollow" };

/** Whether a link may lead to the address: to one of an allowed scheme, or of this server. */
export function mayLead(address: unknown): address is string {
  if (typeof address !== "string" || !address) return false;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(address.replace(/[\s\p{Cc}]/gu, ""));
  return !scheme || SCHEMES.includes(scheme[0].toLowerCase());
}

/** Returns the address that somebody typed, with the scheme that it stands for; null where it can be no link. */
export function addressOf(typed: string): string | null {
  const address = typed.trim();
  if (MAIL.test(address)) return `mailto:${address}`;
  if (HOST.test(address)) return `https://${address}`;
  return mayLead(address) ? address : null;
}

/** Returns the path of an image of this server; null where the address is none. */
export function imageHere(address: unknown): string | null {
  if (typeof address !== "string") return null;
  try {
    const url = new URL(address, location.origin);
    return url.origin === location.origin && IMAGE.test(url.pathname) ? url.pathname : null;
  } catch {
    return null;
  }
}

/** Returns the id of the document or the folder of this server that the address leads to; null where it leads to none. */
export function itemHere(address: string): string | null {
  try {
    const url = new URL(address, location.origin);
    return url.origin === location.origin ? (ITEM.exec(url.pathname)?.[1] ?? null) : null;
  } catch {
    return null;
  }
}

/** Whether the address is one of another server, at which an image may be looked at. */
export function isElsewhere(address: unknown): address is string {
  return typeof address === "string" && /^https?:\/\//i.test(address);
}
