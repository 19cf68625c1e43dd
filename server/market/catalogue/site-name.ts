const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads the name of a website's page as somebody typed it: a public id, or a host in any spelling, which becomes lower
 * case and Punycode without 'www.', a dot at its end and the ports of http and https. Null for anything else.
 */
export function readSiteName(typed: string): { publicId: string } | { host: string } | null {
  if (UUID.test(typed)) return { publicId: typed.toLowerCase() };
  const url = URL.parse(`http://${typed}`);
  if (!url || url.pathname !== '/' || url.search || url.hash || url.username || url.password) return null;
  const host = url.host
    .replace(/:443$/, '')
    .replace(/\.(?=:\d+$|$)/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
  return { host };
}
