# Makes the changelog of the package (deb-changelog(5)) of the manual's English page of changes: its sections are the versions, their
# points the changes.
/^## / {
  sign()
  print "majordome (" $2 ") unstable; urgency=medium\n"
  sub(/^[^(]*\(/, ""); sub(/\).*/, "")
  ("date -R -d '" $0 " 12:00'") | getline day
}
/^- / && day {
  gsub(/\]\([^)]*\)|[][*`]/, "")
  line = "  *"
  for (i = 2; i <= NF; i++) {
    if (length(line " " $i) > 79) { print line; line = "   " }
    line = line " " $i
  }
  print line
}
END { sign() }
function sign() { if (day) print "\n -- Majordome <majordome@majordome.example>  " day "\n" }
