// Follows a conversation that others take part in. The page works without this.
"use strict";
const { session, turn } = document.body.dataset;
const notice = document.getElementById("moved");
let changed = false;
document.addEventListener("input", () => { changed = true; });

async function look() {
  try {
    const answer = await fetch(`/api/sessions/${session}`);
    const now = await answer.json();
    if (answer.ok && String(now.turn) !== turn) {
      // What is being typed is not thrown away.
      if (!changed) return location.reload();
      notice.hidden = false;
      return;
    }
  } catch { /* The service is gone for the moment; look again later. */ }
  setTimeout(look, 1000);
}
if (session) setTimeout(look, 1000);
