/**
 * Ids, hashes and sealed texts as the last release stored them (UPGRADE-5). Another value here means that a repeated
 * request is refused, a message is not recognised, or a secret is lost: read both forms for one release.
 */
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import { bodyHash } from '../../src/ledger/index.js';
import * as ids from '../../src/starter/ids.js';
import { readMessageRequest } from '../../src/starter/messages/message-request.js';
import { ENCRYPTED } from '../support/ledger/at-rest.js';

const SEALED = 'enc:test:pzTdcOnAnKlqqs6mLHGpHjzm5WhlnmECTRXqotg5FtJlv57Uj7HPvg==';

const TEXT = { instance: 'main', to: '15550000001', content: { kind: 'text', text: 'Hello' } };
const FILE = {
  instance: 'main',
  to: '+1 555 000 0001',
  content: { kind: 'file', url: 'https://example.com/a.pdf', fileName: 'a.pdf' },
  priority: 'high',
  reference: 'order 17',
};

describe('what the last release stored', () => {
  it.each([
    [ids.messageId('main', 'order-1'), 'msg_cvsacv4nymae8hgc'],
    [ids.editId('main' as MessageId, 'order-1'), 'edt_cvsacv4nymae8hgc'],
    [ids.campaignId('main', 'order-1'), 'cmp_nwr0k0ab5xgxq60q'],
    [ids.scheduleId('main', 'order-1'), 'sch_sf1s0z02tvc2zvqn'],
    [ids.eventEndpointId('main', 'order-1'), 'evp_phzdphtrmnkcexkf'],
    [ids.replayId('main', 'order-1'), 'rpl_wxqc0yy94kmfd6t5'],
    [ids.operationKeyHash('main', 'order-1', 'x'), 'gk1najwqf6t7hsfd'],
  ])('has the id %s again', (id, stored) => {
    expect(id).toBe(stored);
  });

  it.each([
    [
      TEXT,
      'f6f321c3b20ff5fe04d4d876365514113fe0bb7732a017b1252cda076a4a1aef',
      '16892042663b87d371de9a0aa4321c6c185bdc354317466a47d590ac50b873e8',
    ],
    [
      FILE,
      '819416a8c6bac765e069feb8fa6d1deaaf7a48e802535cf09107791566b70f8e',
      'fd36d6913c0fb40b5c77cb5a469d1abd74fabf355934819a631d4aa23fbc324e',
    ],
  ])('has the hashes of the same request and body again', (body, ofRequest, ofBody) => {
    const { request } = readMessageRequest(body, {});
    expect([ids.requestHash(request), bodyHash(request.content)]).toEqual([ofRequest, ofBody]);
  });

  it('is opened, and sealed in a form with the same beginning', () => {
    const place = 'event_endpoints.auth_header of evp_1';
    expect(ENCRYPTED.atRest.open(SEALED, place)).toBe('velvet otter');
    expect(ENCRYPTED.atRest.seal('velvet otter', place)).toMatch(/^enc:test:/);
  });
});
