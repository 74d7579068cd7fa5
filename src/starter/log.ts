/** Where a module logs what an operator should know. No secrets, no phone numbers, no texts. */
export type Log = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}) => void;
