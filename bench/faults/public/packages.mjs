// The packages that the benchmark has installed for an adapter.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.PACKAGES}/`);

/** What a package exports by default, whichever kind of module it is. @param {string} name */
export async function load(name) {
  const module = await import(pathToFileURL(require.resolve(name)).href);
  return module.default;
}
