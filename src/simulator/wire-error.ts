/** A response that is no success: the status and the words that go on the wire. */
export class WireError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
