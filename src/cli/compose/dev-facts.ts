/** Where everything of an `everpost dev` is. While it runs, `<dataDir>/dev.json` holds it too, for `everpost doctor`. */
export interface DevStackFacts {
  readonly apiUrl: string;
  readonly temporalAddress: string;
  /** Absent on a Temporal server of one's own: only its owner knows where its Web UI is. */
  readonly temporalUiUrl?: string;
  /** Absent where instances are configured. */
  readonly simulatorUrl?: string;
  readonly dataDir: string;
}

export const DEV_FACTS_FILE = 'dev.json';
