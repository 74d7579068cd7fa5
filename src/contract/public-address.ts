/**
 * IPv4 networks that are not public, each as its first address and how many bits name it (RFC 6890 and its registry).
 */
const NOT_PUBLIC_IPV4: readonly (readonly [network: number, bits: number])[] = [
  [0x00_00_00_00, 8], // this network
  [0x0a_00_00_00, 8], // private
  [0x64_40_00_00, 10], // behind a carrier's NAT
  [0x7f_00_00_00, 8], // loopback
  [0xa9_fe_00_00, 16], // link-local; clouds tell a machine's secrets there
  [0xac_10_00_00, 12], // private
  [0xc0_00_00_00, 24], // protocol assignments
  [0xc0_00_02_00, 24], // documentation
  [0xc0_58_63_00, 24], // 6to4 relays
  [0xc0_a8_00_00, 16], // private
  [0xc6_12_00_00, 15], // benchmarks
  [0xc6_33_64_00, 24], // documentation
  [0xcb_00_71_00, 24], // documentation
  [0xe0_00_00_00, 4], // multicast
  [0xf0_00_00_00, 4], // reserved, broadcast
];

/**
 * True for a public IP address; false for one of this machine, of a private network, and for
 * what is no address. Of IPv6 only global unicast counts, without the parts of it that lead to IPv4 addresses.
 */
export function isPublicAddress(address: string): boolean {
  const ipv4 = readIpv4(address);
  if (ipv4 !== undefined) return isPublicIpv4(ipv4);
  const groups = readIpv6(address);
  if (groups === undefined) return false;
  const [first = 0, second = 0] = groups;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return isPublicIpv4((groups[6] ?? 0) * 0x1_00_00 + (groups[7] ?? 0));
  const isGlobalUnicast = first >= 0x2000 && first <= 0x3fff;
  const isSpecial = first === 0x2001 && (second < 0x0200 || second === 0x0db8);
  const is6to4 = first === 0x2002;
  const isDocumentation = first === 0x3fff && second < 0x1000;
  return isGlobalUnicast && !isSpecial && !is6to4 && !isDocumentation;
}

/**
 * True for a URL whose host can only be this machine or a private network: by its address, or as `localhost`. What a
 * name stands for shows only when it is looked up.
 */
export function namesPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const literal = /^\[(.*)\]$/.exec(host)?.[1] ?? (/^[\d.]+$/.test(host) ? host : undefined);
  return literal !== undefined && !isPublicAddress(literal);
}

function isPublicIpv4(address: number): boolean {
  return !NOT_PUBLIC_IPV4.some(([network, bits]) => Math.floor((address - network) / 2 ** (32 - bits)) === 0);
}

function readIpv4(address: string): number | undefined {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  if (bytes === undefined || bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((all, byte) => all * 256 + byte, 0);
}

/** Its eight groups. A zone (`fe80::1%eth0`) is passed over. */
function readIpv6(address: string): number[] | undefined {
  const [plain = ''] = address.split('%');
  const [head = '', tail, ...more] = withIpv4AsGroups(plain).split('::');
  if (more.length > 0) return undefined;
  const [left, right] = [groupsIn(head), groupsIn(tail ?? '')];
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...Array<number>(missing).fill(0), ...right];
  return groups.some(Number.isNaN) ? undefined : groups;
}

function withIpv4AsGroups(address: string): string {
  const last = address.slice(address.lastIndexOf(':') + 1);
  const ipv4 = readIpv4(last);
  if (ipv4 === undefined) return address;
  const groups = [Math.floor(ipv4 / 0x1_00_00), ipv4 % 0x1_00_00].map((group) => group.toString(16)).join(':');
  return `${address.slice(0, -last.length)}${groups}`;
}

function groupsIn(text: string): number[] {
  if (text === '') return [];
  return text.split(':').map((group) => (/^[\da-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16) : Number.NaN));
}
