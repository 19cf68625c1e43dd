/** Ten samples a second, as the MRC's guideline requires. */
export const SAMPLE_MS = 100;
