/** How long a publisher usually takes to answer an ad, in words: in hours up to two days, then in days. */
export function usualAnswerText(hours: number): string {
  if (hours > 48) return `Usually answered within ${Math.ceil(hours / 24)} days.`;
  return `Usually answered within ${hours === 1 ? 'an hour' : `${hours} hours`}.`;
}
