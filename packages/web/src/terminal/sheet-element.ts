/**
 * What xterm.js gets instead of a `<style>` element (see vite.config.ts). The page's policy forbids inline styles, but allows
 * a style sheet object that is filled by code. The styles apply until the element is removed.
 */
export function sheetElement(): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = document.createElement('i');
  element.hidden = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text), get: () => '' });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}
