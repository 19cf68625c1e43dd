/** Ten times a second, as the MRC's guideline asks. */
export const SAMPLE_MS = 100;
