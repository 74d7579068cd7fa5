/** How many requests are kept. The limit bounds the memory of a simulator that runs for long. */
const REMEMBERED = 20_000;

/** One request that arrived, without its token. */
export interface RecordedRequest {
  /** ISO UTC by the simulator's clock. */
  readonly at: string;
  readonly verb: string;
  readonly idInstance: string;
  readonly method: string;
  readonly v3: boolean;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body; its text if it is not JSON; null without a body. */
  readonly body: unknown;
  /** Whether an earlier request used the same connection. */
  readonly reusedConnection: boolean;
  /** The fault that was played, if any. */
  readonly fault?: string;
  /** The status of the response; null while there is none. */
  status: number | null;
}

export class RequestLog {
  #requests: RecordedRequest[] = [];

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  add(request: RecordedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length > 2 * REMEMBERED) this.#requests = this.#requests.slice(-REMEMBERED);
  }

  clear(): void {
    this.#requests = [];
  }
}
