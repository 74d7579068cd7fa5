/**
 * Variants of a campaign's content, and the recipients that it leaves out.
 *
 * VARIANT-1 A hash of the recipient's key decides, so that reading ahead again, a retry, or another campaign with the
 *    same names and shares gives the same recipient the same variant.
 * VARIANT-2 The hold-out is taken first, by a hash of its own: the same recipients for the same share, whatever the
 *    variants are, and a smaller hold-out is a part of a larger one. Shares of variants are shares of the rest.
 * VARIANT-3 A winner replaces the split: every recipient who is composed later gets it.
 */
import type { CampaignDefinition, CampaignVariant, ContentTemplate } from '../../contract/index.js';
import { hashOf, mixed } from '../mixed-hash.js';
import { withTyping } from '../typing.js';

/** What a campaign sends. */
export interface SentContents {
  /** Without variants, its content. */
  readonly content: ContentTemplate;
  readonly variants: readonly CampaignVariant[] | null;
  readonly winner: string | null;
}

/** What a campaign sends at first, by its definition, which names a content or variants. */
export function sentContents({ content, variants, typing }: CampaignDefinition): SentContents {
  const typed = variants?.map((variant) => ({ ...variant, content: withTyping(variant.content, typing) })) ?? null;
  const single = content === undefined ? typed?.[0]?.content : withTyping(content, typing);
  if (single === undefined) throw new Error('A campaign is defined without a content');
  return { content: single, variants: typed, winner: null };
}

/** `12.5 %` is 0.125. */
export function shareOf(share: string): number {
  return Number(share.replace('%', '').trim()) / 100;
}

/** Whether the recipient gets nothing. */
export function isHeldOut(holdOut: string | undefined, recipientKey: string): boolean {
  return holdOut !== undefined && placeOf('hold-out', recipientKey) < shareOf(holdOut);
}

/** The variant that the recipient gets; undefined for a campaign without variants. */
export function variantFor({ variants, winner }: SentContents, recipientKey: string): CampaignVariant | undefined {
  if (variants === null) return undefined;
  if (winner !== null) return variants.find(({ name }) => name === winner);
  const place = placeOf(JSON.stringify(variants.map(({ name, share }) => [name, shareOf(share)])), recipientKey);
  let until = 0;
  return variants.find(({ share }) => (until += shareOf(share)) > place) ?? variants.at(-1);
}

/** Where the recipient stands in a split: from 0 to 1. */
function placeOf(split: string, recipientKey: string): number {
  return mixed(hashOf(split), hashOf(recipientKey)) / 2 ** 32;
}

/** A content that a campaign may send, and its path in the definition. */
export interface PlacedContent {
  readonly path: string;
  readonly content: ContentTemplate;
}

export function contentsOf({ content, variants }: Pick<SentContents, 'content' | 'variants'>): PlacedContent[] {
  if (variants === null) return [{ path: 'content', content }];
  return variants.map((variant, at) => ({ path: `variants[${at}].content`, content: variant.content }));
}
