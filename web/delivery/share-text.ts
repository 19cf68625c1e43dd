/** A share (0 to 1) of something in words: '23 %'; only all is 100 %, and only nothing 0 %. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.01) return 'under 1 %';
  if (share < 1 && share > 0.99) return 'over 99 %';
  return `${Math.round(share * 100)} %`;
}
