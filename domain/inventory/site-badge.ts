/** The size of the badge in CSS pixels. */
export const BADGE = { width: 220, height: 48 } as const;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The HTML with which a publisher links their pages to the website's page. */
export function badgeCode({ name, pageUrl }: { name: string; pageUrl: string }): string {
  const text = name.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
  return `<a href="${pageUrl}"><img src="${pageUrl}/badge.svg" alt="Advertise on ${text}" width="${BADGE.width}" height="${BADGE.height}"></a>`;
}
