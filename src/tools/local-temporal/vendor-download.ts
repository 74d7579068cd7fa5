import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PinnedBinary } from './pinned-binaries.js';
import { runProgram } from './run-program.js';

/**
 * The site from which Temporal's SDK fetches these programs. everpost cannot use the SDK's function: it also starts the
 * server, and so installs the process-wide Runtime before the worker sets its options.
 */
export const VENDOR_SITE = 'https://temporal.download';

/** Many networks block the site. Without a response within this time, the next source is tried. */
const RESPONSE_TIMEOUT_MS = 3_000;
/** A slow download may take long, but fails if no byte arrives for this time. */
const STALL_TIMEOUT_MS = 10_000;
const UNPACK_TIMEOUT_MS = 60_000;

const PLATFORM_NAMES: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCH_NAMES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Fetches the pinned version from Temporal's download site into `scratchDir`.
 * @returns the unpacked executable's path; the caller sets its mode and moves it
 * @throws Error with a short reason if the site cannot be reached or has no such program
 */
export async function downloadFromVendor(binary: PinnedBinary, site: string, scratchDir: string): Promise<string> {
  const archive = await askForArchive(binary, site);
  const archiveFile = join(scratchDir, 'archive');
  await downloadTo(archiveFile, archive.archiveUrl);
  const unpacked = await runProgram(
    'tar',
    ['-xf', archiveFile, '-C', scratchDir, '--', archive.fileToExtract],
    UNPACK_TIMEOUT_MS,
  );
  if (!unpacked.succeeded) throw new Error('the archive could not be unpacked');
  const files = await readdir(scratchDir);
  if (!files.includes(archive.fileToExtract)) throw new Error('the archive lacks the program');
  return join(scratchDir, archive.fileToExtract);
}

const archiveSchema = z.object({ archiveUrl: z.string(), fileToExtract: z.string() });

async function askForArchive(binary: PinnedBinary, site: string): Promise<z.infer<typeof archiveSchema>> {
  const platform = PLATFORM_NAMES[process.platform];
  const arch = ARCH_NAMES[process.arch];
  if (platform === undefined || arch === undefined) throw new Error('it has no file for this platform');
  const url = new URL(`${site}/${binary.vendorArtifact}/v${binary.version}`);
  url.search = new URLSearchParams({ platform, arch, format: 'tar.gz' }).toString();
  const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`its response was ${response.status}`);
  const { data: archive } = archiveSchema.safeParse(await response.json());
  if (archive === undefined) throw new Error('its response names no archive');
  return archive;
}

async function downloadTo(path: string, url: string): Promise<void> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error('the download stalled')), STALL_TIMEOUT_MS);
  const file = await open(path, 'w');
  try {
    const response = await fetch(url, { signal: stalled.signal });
    if (!response.ok || response.body === null) throw new Error(`the response for the archive was ${response.status}`);
    for await (const chunk of response.body) {
      timer.refresh();
      await file.write(chunk);
    }
  } finally {
    clearTimeout(timer);
    await file.close();
  }
}
