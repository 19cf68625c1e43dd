/** '1.2 s'; from a minute on without tenths. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000;
  return `${seconds < 60 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
