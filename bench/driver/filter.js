// A field above the page's tables that leaves the rows with all of its words. Without scripts the tables are whole.
// SPDX-License-Identifier: BSD-3-Clause
const rows = [...document.querySelectorAll(".scroll table:not(.facts) tbody tr")];
const heading = [...document.querySelectorAll("h2")].find((head) => head.textContent === "Targets");
if (heading && rows.length) {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "filter: put 8 PEs, all-to-all, missed ✗";
  field.setAttribute("aria-label", "show only rows with these words");
  const count = document.createElement("span");
  count.className = "quiet";
  const texts = rows.map((row) => {
    const name = row.firstChild.getAttribute("title") || "";
    return (row.innerText + " " + name + " " + row.children[2].textContent + " PEs").toLowerCase();
  });
  const apply = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      shown += !row.hidden;
    });
    count.textContent = ` ${shown} of ${rows.length} rows`;
    document.querySelectorAll("details").forEach((part) => {
      if (words.length && part.querySelector("table:not(.facts) tbody tr:not([hidden])")) part.open = true;
    });
  };
  field.addEventListener("input", apply);
  const line = document.createElement("p");
  line.append(field, count);
  heading.after(line);
  apply();
}
