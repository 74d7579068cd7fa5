/** What is passed between those who count, those who show what was counted, and those who serve it. */

/** As Prometheus reads it. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

export interface ApiRequest {
  readonly method: string;
  /** As /openapi.json writes it, or `none`: never the path itself, which holds ids and any text. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/** How one attempt to deliver an event ended. */
export type DeliveryAttempt = 'delivered' | 'retried' | 'set_aside' | 'endpoint_disabled';
