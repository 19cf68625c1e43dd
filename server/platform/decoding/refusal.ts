/** A decoder's answer to a file that it does not accept. The message tells the person who sent the file what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 400 | 413 | 415;

  constructor(status: Refusal['status'], message: string) {
    super(message);
    this.status = status;
  }
}
