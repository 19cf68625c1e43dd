/** Letters of scripts that run from right to left, and marks that turn the direction. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u202a-\u202e\u2066-\u2069]/;
/** Marks that open or end a direction; one that is left open would turn the rest of the line round. */
const MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * What somebody wrote, to stand within a sentence of ours: kept apart by the isolates of Unicode's bidirectional
 * algorithm (UAX 9), which plain text has instead of markup. Left as it is where nothing could turn.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replaceAll(MARKS, '')}\u2069` : text;
}
