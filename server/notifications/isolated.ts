/** Letters of scripts that run from right to left, and characters that change the direction. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u202a-\u202e\u2066-\u2069]/;
/** Characters that open or close a direction. One that is left open would turn the rest of the line around. */
const MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Prepares a user's text for a sentence of ours, so that its direction doesn't affect the sentence. Plain text has no markup
 * for that, but the isolates of Unicode's bidirectional algorithm (UAX 9). A text without such characters is unchanged.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replaceAll(MARKS, '')}\u2069` : text;
}
