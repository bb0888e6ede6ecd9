export const reported: Readonly<Record<string, readonly string[]>>;
export function reportFile(name: string): string;
export function apiReport(name: string): string;
