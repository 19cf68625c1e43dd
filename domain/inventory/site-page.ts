/** The path of a website's page in the public catalogue. `name` is its host or its public id. */
export function sitePagePath(name: string): string {
  return `/sites/${encodeURI(name)}`;
}
