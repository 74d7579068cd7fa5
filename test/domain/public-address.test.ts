import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, namesPrivateHost } from '../../src/domain/index.js';

describe('an address', () => {
  it.each(
    [
      ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '192.167.255.255'],
      ['223.255.255.255', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '::ffff:8.8.8.8'],
    ].flat(),
  )('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(
    [
      ['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
      ['172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', 'fc00::1'],
      ['fd12:3456::1', 'fe80::1%eth0', 'ff02::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1'],
      ['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1'],
      ['example.com', '', '1.2.3', '1.2.3.256', '1::2::3', '1:2:3:4:5:6:7:8:9', '2606:4700:zzzz::1'],
    ].flat(),
  )('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('is classified alike in every notation of IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`::ffff:${groups}`)).toBe(isPublicAddress(address));
      }),
    );
  });
});

describe('the host of a URL', () => {
  it.each(
    [
      ['http://127.0.0.1/', 'http://127.1:8080/hook', 'http://0x7f000001/', 'http://2130706433/', 'http://[::1]/'],
      ['http://[::ffff:169.254.169.254]/', 'http://localhost/', 'http://LOCALHOST./', 'http://db.localhost/'],
      ['https://10.1.2.3/'],
    ].flat(),
  )('is private in %s', (url) => {
    expect(namesPrivateHost(new URL(url))).toBe(true);
  });

  it.each([
    'https://example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example/',
  ])('may be public in %s', (url) => {
    expect(namesPrivateHost(new URL(url))).toBe(false);
  });
});
