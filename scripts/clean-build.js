// Before packing: files that an older build left in `dist` would be published too.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
