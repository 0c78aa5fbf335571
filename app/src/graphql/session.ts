import { boot } from "../boot";
import { ask, failure } from "./ask";
import { Viewer } from "./generated";

/** Who is signed in now: whom this page was made for, somebody else, nobody; or the server did not say. */
export type SignedIn = "same" | "other" | "nobody" | "unknown";

/** Ask who is signed in: sessions end, and others begin, in other windows of the browser. */
export async function signedIn(): Promise<SignedIn> {
  try {
    return (await ask(Viewer, {})).viewer.id === boot.viewer.id ? "same" : "other";
  } catch (fault) {
    return failure(fault).code === "UNAUTHORIZED" ? "nobody" : "unknown";
  }
}
