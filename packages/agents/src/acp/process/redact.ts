/** Removes secrets from what an agent wrote: those that it was given, and whatever looks like a credential. */
export function redactor(
  env: Readonly<Record<string, string>>,
  secrets: readonly string[] = [],
): (text: string) => string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name) && value.length >= 4 ? [value] : [],
  );
  const known = [...values, ...secrets].sort((one, other) => other.length - one.length);
  return (text) => {
    const withoutKnown = known.reduce((rest, value) => rest.replaceAll(value, HIDDEN), text);
    return CREDENTIALS.reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), withoutKnown);
  };
}

const HIDDEN = '[secret]';

function isSecretName(name: string): boolean {
  return /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/i.test(name);
}

const CREDENTIALS = [
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gi,
  /()\b(?:sk|pk|rk)-[\w-]{8,}/g,
  /()\bgh[pousr]_\w{16,}/g,
  /()\bAIza[\w-]{20,}/g,
  /()\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /((?:api[_-]?key|token|secret|password)["']?\s*[=:]\s*["']?)[^\s"',;]{4,}/gi,
  /(\/\/[^\s/:@]+:)[^\s/@]+(?=@)/g,
];
