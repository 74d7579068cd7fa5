import type { LoadedDataConverter, Payload } from '@temporalio/common';

/**
 * The value of a payload that a request to Temporal's service returned as it is stored.
 * @throws AppError ENCRYPTION_KEY_MISSING
 */
export async function readPayload<Value>(
  { payloadCodecs, payloadConverter }: LoadedDataConverter,
  payload: Payload,
): Promise<Value> {
  let payloads = [payload];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  const [decoded = payload] = payloads;
  return payloadConverter.fromPayload<Value>(decoded);
}
