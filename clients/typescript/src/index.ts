/** Codrive from TypeScript and JavaScript: one method for each operation, over `fetch`. */

export { Codrive } from "./client.js";
export { VERSION } from "./call.js";
export type { CallOptions, CodriveOptions } from "./call.js";
export * from "./errors.js";
export type { Documents, DriveItems, Drives } from "./groups.js";
export type * from "./types.js";
