export const reported: Readonly<Record<string, Readonly<Record<string, 'stable' | 'experimental' | 'internal'>>>>;
export function reportFile(name: string): string;
export function apiReport(name: string): string;
export function referenceFile(name: string): string;
export function apiReference(name: string): string;
