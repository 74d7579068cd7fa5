/** Where a room tells what a person running it should know. No secrets, no phone numbers, no texts. */
export type Log = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}) => void;
