/** The line by which a website authorises its seller here (IAB Tech Lab, ads.txt 1.1). `host` is this marketplace's. */
export function adsTxtLine(host: string, sellerId: string): string {
  return `${host}, ${sellerId}, DIRECT`;
}

/** Whether a file holds that line: `#` begins a comment, fields are separated by commas, host and relation ignore case. */
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
