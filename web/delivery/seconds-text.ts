/** Formats milliseconds as seconds, such as '1.2 s'; tenths are dropped from one minute on. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000;
  return `${seconds < 60 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
