/**
 * Sets the chosen theme on <html> while the page is parsed, before the first paint. It uses the keys and rules of
 * use-theme.ts.
 */
export const themeScript = `(function(){try{
var t=localStorage.getItem("theme")||"system";
var d=t==="dark"||(t!=="light"&&matchMedia("(prefers-color-scheme: dark)").matches);
var e=document.documentElement;e.classList.toggle("dark",d);e.dataset.theme=d?"dark":"light";
}catch(e){}})()`;

export function ThemeScript() {
  return <script dangerouslySetInnerHTML={{ __html: themeScript }} />;
}
