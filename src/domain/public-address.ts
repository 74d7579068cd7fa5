import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not public (RFC 6890 and its registry). */
const NOT_PUBLIC_IPV4 = networks('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; clouds serve a machine's credentials there
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

const IPV4_AS_IPV6 = networks('ipv6', ['::ffff:0:0/96']);
const GLOBAL_UNICAST = networks('ipv6', ['2000::/3']);
const NOT_PUBLIC_IPV6 = networks('ipv6', [
  '2001::/23', // protocol assignments, tunnels to IPv4
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: leads to IPv4 addresses
  '3fff::/20', // documentation
]);

/** Whether the text is a public IP address, neither of this machine nor of a private network. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !NOT_PUBLIC_IPV4.check(address, 'ipv4');
    case 6:
      // The list of IPv4 networks also matches IPv4 addresses in IPv6 form.
      if (IPV4_AS_IPV6.check(address, 'ipv6')) return !NOT_PUBLIC_IPV4.check(address, 'ipv6');
      return GLOBAL_UNICAST.check(address, 'ipv6') && !NOT_PUBLIC_IPV6.check(address, 'ipv6');
    default:
      return false;
  }
}

/**
 * Whether the host of the URL is surely this machine or in a private network: a private address, or `localhost`. Other
 * names need a DNS lookup.
 */
export function namesPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const literal = /^\[(.*)\]$/.exec(host)?.[1] ?? (/^[\d.]+$/.test(host) ? host : undefined);
  return literal !== undefined && !isPublicAddress(literal);
}

function networks(family: 'ipv4' | 'ipv6', list: readonly string[]): BlockList {
  const blocked = new BlockList();
  for (const network of list) {
    const [address = '', bits] = network.split('/');
    blocked.addSubnet(address, Number(bits), family);
  }
  return blocked;
}
