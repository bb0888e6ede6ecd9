// What runs inside of the pages.

/** Scrolls a little with every frame and gives how long each of them took. */
export function framesWhileScrolling({ box, frames, step }) {
  const element = document.querySelector(box);
  element.scrollTop = 0;
  return new Promise((resolve) => {
    const times = [];
    let last;
    const frame = (now) => {
      if (last !== undefined) times.push(now - last);
      last = now;
      if (times.length === frames) return resolve(times);
      element.scrollTop += step;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** The least that a list can be: rows that are all there, as text and nothing else. */
export function makeList({ height, rows }) {
  const box = document.getElementById('box');
  for (let index = 0; index < rows; index++) {
    const row = document.createElement('div');
    row.style.height = `${height / rows}px`;
    row.textContent = `many/${index}.ts`;
    box.append(row);
  }
}
