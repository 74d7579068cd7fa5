/** Fields of gateway responses that grant access: they never enter a history, a ledger row or a log. */
const SECRET_FIELDS = new Set(['webhookUrlToken', 'apiTokenInstance', 'apiTokenWaba', 'token', 'groupInviteLink']);
const REMOVED = '[removed]';

/** A copy of a JSON value with every non-empty secret field replaced, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET_FIELDS.has(key) && inner !== '' && inner !== null ? REMOVED : withoutSecrets(inner),
    ]),
  );
}
