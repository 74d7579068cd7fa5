/**
 * Decides whether a notification is stored, by its sender.
 *
 * SENDER-1 If the instance has a webhook token, the Authorization header must contain one of its tokens.
 * SENDER-2 If the instance has none, the sender must be a program on this machine, and no other machine may be able to
 *    reach the receiver.
 * SENDER-3 Until its first token has reached the gateway, SENDER-2 also applies to requests without an Authorization
 *    header: the gateway restarts the account to apply setSettings, and sends without the token until then.
 * SENDER-4 A refusal does not show whether the instance exists. Only a sender with a valid token learns that it does
 *    not.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import {
  AppError,
  lacksWebhookToken,
  MAX_CREDENTIALS_CHARACTERS,
  type Secret,
  splitScheme,
} from '../contract/index.js';
import type { ReceiverOptions } from './options.js';

export interface Sender {
  readonly authorization: string | undefined;
  /** Whether the sender is a program on this machine and no other machine can reach the receiver. */
  readonly isLocal: boolean;
}

/** The gateway applies settings within five minutes, and repeats a refused notification every minute. */
const FIRST_TOKEN_GRACE_MS = 10 * 60_000;

/** @returns a function that throws AppError WEBHOOK_UNVERIFIED | INSTANCE_NOT_FOUND */
export function createSenderCheck({ instances, clock, log }: Pick<ReceiverOptions, 'instances' | 'clock' | 'log'>) {
  /** Instances that this process has seen without a token, with the end of the grace time after their first token. */
  const graceEndsAtMs = new Map<string, number | undefined>();
  const reported = new Set<string>();

  function tokensOf(name: string): readonly Secret[] {
    return instances.get(name).webhookTokens ?? [];
  }

  function isOpenToLocal(name: string, tokens: readonly Secret[], authorization: string | undefined): boolean {
    if (tokens.length === 0) {
      graceEndsAtMs.set(name, undefined);
      return true;
    }
    if (authorization !== undefined || !graceEndsAtMs.has(name)) return false;
    const endsAtMs = graceEndsAtMs.get(name) ?? clock.nowMs() + FIRST_TOKEN_GRACE_MS;
    graceEndsAtMs.set(name, endsAtMs);
    return clock.nowMs() < endsAtMs;
  }

  for (const name of instances.names()) if (tokensOf(name).length === 0) graceEndsAtMs.set(name, undefined);

  return (name: string, { authorization, isLocal }: Sender): void => {
    const isKnown = instances.names().includes(name);
    const tokens = isKnown ? tokensOf(name) : instances.names().flatMap(tokensOf);
    if (isAuthorized(authorization, tokens)) {
      graceEndsAtMs.delete(name);
      if (isKnown) return;
      throw new AppError(
        'INSTANCE_NOT_FOUND',
        `A notification for instance ${name} is refused: there is no such instance. Correct webhookUrl at the gateway: everpost doctor --fix`,
      );
    }
    if (isKnown && isLocal && isOpenToLocal(name, tokens, authorization)) return;
    // Logged once per instance, since any sender can cause many rejections.
    if (isKnown && !reported.has(name) && lacksWebhookToken(instances.get(name))) {
      reported.add(name);
      log({
        level: 'error',
        message: `Notifications of instance ${name} are refused: it has no webhookToken, and other machines can reach the receiver. Create one: everpost doctor --fix`,
        instance: name,
      });
    }
    throw new AppError(
      'WEBHOOK_UNVERIFIED',
      `A notification for instance ${name} is refused: its Authorization header has no webhook token of this instance. Compare webhookUrl and webhookUrlToken at the gateway with the instances file: everpost doctor`,
    );
  };
}

/**
 * Whether the header contains one of the tokens: `Basic …`, `Bearer …`, or a plain token, which means `Bearer`. The
 * comparison takes constant time, so that the response time reveals nothing.
 */
export function isAuthorized(header: string | undefined, tokens: readonly Secret[]): boolean {
  if (header === undefined || header.length > MAX_CREDENTIALS_CHARACTERS) return false;
  const given = digest(withScheme(header));
  return tokens.map((token) => timingSafeEqual(digest(withScheme(token.reveal())), given)).some((isEqual) => isEqual);
}

/**
 * Normalizes credentials: `abc`, `Bearer abc` and `bearer abc` with more blanks are equal. So is `Bearer Bearer abc`,
 * since some gateways add the scheme to a token that already has one.
 */
function withScheme(credentials: string): string {
  let scheme = 'bearer';
  let token = credentials.trim();
  for (let split = splitScheme(token); split !== undefined; split = splitScheme(token)) {
    scheme = split.scheme;
    token = split.rest;
  }
  return `${scheme} ${token}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
