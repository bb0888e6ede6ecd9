export const TOKEN = 'bench-token-0123456789';
export const ROOT = 'ahp-root://';
