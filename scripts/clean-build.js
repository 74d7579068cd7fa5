// Removes `dist` before packing: files of an older build would be published too.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
