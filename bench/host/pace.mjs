/** Does something so many times, evenly: what could not be done in time is done as soon as possible. */
export async function atPace(count, perSecond, run) {
  const started = performance.now();
  for (let done = 0; done < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - started) * perSecond) / 1000) + 1);
    while (done < due) {
      run();
      done++;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
  }
}

/** A text of sixty characters that says when it was made, in milliseconds that all processes of a machine agree upon. */
export function stamped() {
  return `@${(performance.timeOrigin + performance.now()).toFixed(3)}@`.padEnd(60, 'a');
}

export function ageOf(frame) {
  const start = frame.indexOf('@');
  if (start < 0) return undefined;
  const made = Number(frame.slice(start + 1, frame.indexOf('@', start + 1)));
  return performance.timeOrigin + performance.now() - made;
}
