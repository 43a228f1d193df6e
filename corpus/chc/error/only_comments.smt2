; Nothing but comments: there is no problem here.
; exit: 3
