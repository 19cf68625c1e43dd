/** A text has a letter that no font has. */
export class UnprintableError extends Error {
  readonly letter: string;
  constructor(letter: string) {
    super(`No font has the character ${JSON.stringify(letter)}`);
    this.letter = letter;
  }
}
