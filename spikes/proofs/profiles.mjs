/** Worlds with more of what some conditions are about. */
const QUIET = { cut: 0, clear: 0, pause: 0, restart: 0, takeover: 0, foreignRates: [0, 0.02] };
export const PROFILES = {
  storm: {},
  restarts: { ...QUIET, restart: 1, takeover: 0.1, reword: 0.3 },
  takeovers: { ...QUIET, takeover: 1, reword: 0.6, unrecognised: 0.2 },
};
