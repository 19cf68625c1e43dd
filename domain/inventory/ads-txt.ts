/** The line that authorizes a seller of the marketplace at `host` (ads.txt 1.1, https://iabtechlab.com/ads-txt/). */
export function adsTxtLine(host: string, sellerId: string): string {
  return `${host}, ${sellerId}, DIRECT`;
}

/** Whether an ads.txt contains the line. Ignores comments, spaces, further fields, and the case of host and relation. */
export function holdsAdsTxtLine(file: string, host: string, sellerId: string): boolean {
  return file.split(/\r\n|\r|\n/).some((line) => {
    const [domain, account, relation] = line
      .replace(/#.*$/, '')
      .split(',')
      .map((field) => field.trim());
    return (
      domain?.toLowerCase() === host.toLowerCase() &&
      account === sellerId &&
      /^direct(?:\s*;.*)?$/i.test(relation ?? '')
    );
  });
}
