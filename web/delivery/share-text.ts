/** Formats a share from 0 to 1, such as '23%'. Only 1 gives '100%', and only 0 gives '0%'. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.01) return 'under 1%';
  if (share < 1 && share > 0.99) return 'over 99%';
  return `${Math.round(share * 100)}%`;
}
